// SPDX-License-Identifier: LGPL-2.1-or-later
// An adapter for PCL's OrganizedMultiPlaneSegmentation in planes_bench, with normals of integral
// images, as in PCL's examples. PCL is not part of this project: pcl.sh links the installed one.
#include <pcl/features/integral_image_normal.h>
#include <pcl/point_types.h>
#include <pcl/segmentation/organized_multi_plane_segmentation.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/bench/peers/peer.h"

#ifndef RDP_PCL_DEGREES
#define RDP_PCL_DEGREES 2
#endif
#define RDP_PCL_TEXT(value) #value
#define RDP_PCL_NAME(value) "PCL, " RDP_PCL_TEXT(value) " degrees"

namespace {

using Points = pcl::PointCloud<pcl::PointXYZ>;
using Normals = pcl::PointCloud<pcl::Normal>;
using Labels = pcl::PointCloud<pcl::Label>;

const Points::Ptr cloud(new Points);
const Normals::Ptr normals(new Normals);
Labels::Ptr parts(new Labels);
pcl::IntegralImageNormalEstimation<pcl::PointXYZ, pcl::Normal> estimation;
pcl::OrganizedMultiPlaneSegmentation<pcl::PointXYZ, pcl::Normal, pcl::Label> segmentation;

}  // namespace

const char* rdp_peer_name(void) { return RDP_PCL_NAME(RDP_PCL_DEGREES); }

void rdp_peer_take_cloud(const float* x, const float* y, const float* z, int width, int height) {
  const float unknown = std::numeric_limits<float>::quiet_NaN();
  cloud->width = static_cast<std::uint32_t>(width);
  cloud->height = static_cast<std::uint32_t>(height);
  cloud->is_dense = false;
  cloud->points.resize(static_cast<std::size_t>(width) * height);
  for (int i = 0; i < width * height; ++i) {
    const bool known = z[i] > 0.0f;
    cloud->points[i].x = known ? 1e-3f * x[i] : unknown;
    cloud->points[i].y = known ? 1e-3f * y[i] : unknown;
    cloud->points[i].z = known ? 1e-3f * z[i] : unknown;
  }
}

void rdp_peer_find_planes(unsigned char* labels) {
  estimation.setNormalEstimationMethod(estimation.COVARIANCE_MATRIX);
  estimation.setMaxDepthChangeFactor(0.02f);
  estimation.setNormalSmoothingSize(20.0f);
  estimation.setInputCloud(cloud);
  estimation.compute(*normals);
  segmentation.setMinInliers(1000);
  segmentation.setAngularThreshold(RDP_PCL_DEGREES * 0.017453293);
  segmentation.setDistanceThreshold(0.02);
  segmentation.setInputNormals(normals);
  segmentation.setInputCloud(cloud);
  parts->clear();  // removes labels of earlier frames
  std::vector<pcl::PlanarRegion<pcl::PointXYZ>,
              Eigen::aligned_allocator<pcl::PlanarRegion<pcl::PointXYZ>>>
      regions;
  std::vector<pcl::ModelCoefficients> coefficients;
  std::vector<pcl::PointIndices> inliers, of_labels, boundaries;
  segmentation.segmentAndRefine(regions, coefficients, inliers, parts, of_labels, boundaries);
  std::fill(labels, labels + cloud->size(), 0);
  for (std::size_t p = 0; p < inliers.size() && p < 255; ++p) {
    for (const int pixel : inliers[p].indices) labels[pixel] = static_cast<unsigned char>(p + 1);
  }
}
